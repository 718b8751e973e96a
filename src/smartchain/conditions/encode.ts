import { concatBytes } from '../../htlc/byte-writer.ts';
import { CONDITION_TYPE, type Condition, conditionFacts, type ThresholdCondition } from './condition.ts';
import { compareBytes, derElement, nestedTag, setBytes, simpleTag, unsignedBytes } from './der.ts';

/**
 * A condition in DER, as outputs commit to it: type, fingerprint, cost and inner types, without its fulfillment.
 *
 * @throws SmartChainError SMARTCHAIN_CONDITION_INVALID if it cannot be encoded.
 */
export function encodeCondition(condition: Condition): Uint8Array {
  return conditionFacts(condition).der;
}

/**
 * A fulfillment in DER: the condition with what fulfills it. A threshold shows as many of its cheapest fulfilled parts as it requires, and the others
 * stay conditions; of two with the same cost, the one whose condition sorts first. Undefined if too little is fulfilled.
 *
 * @throws SmartChainError SMARTCHAIN_CONDITION_INVALID if the condition cannot be encoded.
 */
export function encodeFulfillment(condition: Condition): Uint8Array | undefined {
  // Every bound of the whole tree is checked here, so that the walk below cannot go deeper.
  conditionFacts(condition);
  return fulfillmentOfPart(condition);
}

function fulfillmentOfPart(condition: Condition): Uint8Array | undefined {
  switch (condition.type) {
    case 'hidden':
      return undefined;
    case 'key':
    case 'ed25519':
      return condition.signature === undefined
        ? undefined
        : written(condition.type, [condition.key, condition.signature]);
    case 'eval':
      return written('eval', [condition.code]);
    case 'preimage':
      return written('preimage', [condition.preimage]);
    case 'prefix': {
      const inner = fulfillmentOfPart(condition.condition);
      if (inner === undefined) return undefined;
      const fields = [condition.prefix, unsignedBytes(condition.maxMessageLength)].map(simpleField);
      return derElement(nestedTag(CONDITION_TYPE.prefix), concatBytes([...fields, derElement(nestedTag(2), inner)]));
    }
    case 'threshold':
      return thresholdFulfillment(condition);
  }
}

function thresholdFulfillment(condition: ThresholdCondition): Uint8Array | undefined {
  const candidates = condition.conditions
    .map((part) => ({ part, facts: conditionFacts(part) }))
    .sort((left, right) => left.facts.cost - right.facts.cost || compareBytes(left.facts.der, right.facts.der));
  const shown: Uint8Array[] = [];
  const rest: Uint8Array[] = [];
  for (const { part, facts } of candidates) {
    const fulfillment = shown.length < condition.threshold ? fulfillmentOfPart(part) : undefined;
    if (fulfillment === undefined) rest.push(facts.der);
    else shown.push(fulfillment);
  }
  if (shown.length < condition.threshold) return undefined;
  const sets = [shown, rest].map((elements, position) => derElement(nestedTag(position), setBytes(elements)));
  return derElement(nestedTag(CONDITION_TYPE.threshold), concatBytes(sets));
}

function written(type: keyof typeof CONDITION_TYPE, fields: readonly Uint8Array[]): Uint8Array {
  return derElement(nestedTag(CONDITION_TYPE[type]), concatBytes(fields.map(simpleField)));
}

function simpleField(content: Uint8Array, position: number): Uint8Array {
  return derElement(simpleTag(position), content);
}
