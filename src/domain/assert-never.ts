/** Ends an exhaustive switch: a new member of the union fails to compile here. Throws if a value from outside slips in. */
export function assertNever(value: never): never {
  throw new Error(`a value outside its union: ${JSON.stringify(value)}`);
}
