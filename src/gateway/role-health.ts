/** When the provider of each role was last heard of: what tells a fault of a moment from one that lasts. In memory alone. */
export interface RoleHealth {
  /** It answered, or refused a request for its own sake. */
  readonly served: (experiment: string, role: string) => void;
  /** A request attempt met a fault of the provider. */
  readonly failed: (experiment: string, role: string) => void;
  /** Milliseconds since the first of the faults after which nothing was served; 0 where all is well. */
  readonly failingMs: (experiment: string, role: string) => number;
}

/** Nothing was heard of any role yet. `clock` gives milliseconds. */
export function createRoleHealth(clock: () => number): RoleHealth {
  const failingSince = new Map<string, number>();
  const keyOf = (experiment: string, role: string): string => `${experiment}/${role}`;
  return {
    served: (experiment, role) => void failingSince.delete(keyOf(experiment, role)),
    failed: (experiment, role) => {
      const key = keyOf(experiment, role);
      if (!failingSince.has(key)) failingSince.set(key, clock());
    },
    failingMs: (experiment, role) => {
      const since = failingSince.get(keyOf(experiment, role));
      return since === undefined ? 0 : Math.max(0, clock() - since);
    },
  };
}
