import type { Published } from './rpc.ts';
import { openSigned } from './signed.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What a relay that trades nothing and watches nothing hands on, by the beginning of the topic. */
export function isHandedOn({ topic, data }: Published): boolean {
  const [prefix, name] = topic.split('/');
  switch (prefix) {
    case 'orbk':
      return name !== undefined && openSigned(data) !== null;
    case 'swap':
      return UUID.test(name ?? '') && (openSigned(data) !== null || data[0] === 0x7b);
    case 'swapv2':
      return UUID.test(name ?? '');
    case 'swpwtchr':
      return true;
    case 'txhlp':
      return name !== undefined;
    default:
      return false;
  }
}
