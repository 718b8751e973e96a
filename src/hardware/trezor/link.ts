/** A way to one device, over which reports go both ways in their order. */
export type DeviceLink = {
  /** Called once, before anything is sent. */
  readonly listen: (listener: LinkListener) => void;
  readonly send: (reports: readonly Uint8Array[]) => void;
  /** Looks whether the device is still there, and says so by `lost` where it is not. */
  readonly look: () => void;
  /** Sends what is left to send, and frees the device. */
  readonly close: () => Promise<void>;
};

export type LinkListener = {
  /** What came, of whatever length. */
  readonly report: (bytes: Uint8Array) => void;
  /** The device went away. */
  readonly lost: () => void;
};
