/** Version of the node whose answers these are, as Bitcoin writes versions, of its wallet, and of the protocol that it speaks. */
export const NODE_VERSION = { number: 90_000, text: '0.9.0', protocol: 170_010, wallet: 60_000 };
