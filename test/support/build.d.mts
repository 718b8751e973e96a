/** Whether all of `dist` was built after the last change of what it is built from. */
export declare function isBuilt(root?: string): boolean;
