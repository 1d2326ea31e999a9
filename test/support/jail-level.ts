/** A level that real-jail tests run at, and the account that keepers get for it. */
export interface JailLevel {
  readonly name: 'full' | 'user';
  readonly account: { readonly uid: number; readonly gid: number } | null;
}

const ordinary = { uid: 61_234, gid: 61_234 };

/** Both levels as root, where `user` runs under an ordinary account; only `user` otherwise. */
export const jailLevels: readonly JailLevel[] =
  process.getuid?.() === 0
    ? [
        { name: 'full', account: null },
        { name: 'user', account: ordinary },
      ]
    : [{ name: 'user', account: null }];
