/** A connection to one device that carries reports both ways in order. */
export type DeviceLink = {
  /** Called once, before anything is sent. */
  readonly listen: (listener: LinkListener) => void;
  readonly send: (reports: readonly Uint8Array[]) => void;
  /** Checks that the device is still there, and calls `lost` if it is not. */
  readonly look: () => void;
  /** Sends pending reports, and releases the device. */
  readonly close: () => Promise<void>;
};

export type LinkListener = {
  /** What arrived, of any length. */
  readonly report: (bytes: Uint8Array) => void;
  /** The device was disconnected. */
  readonly lost: () => void;
};
