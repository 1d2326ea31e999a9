/** Numbers that no two judge jails of this worker hold at a time: each stands for a host uid of its own. */
export class JudgeSlots {
  private readonly taken = new Set<number>();

  /** Run with the lowest free slot; it is free again when the run ends. */
  async with<Value>(run: (slot: number) => Promise<Value>): Promise<Value> {
    let slot = 0;
    while (this.taken.has(slot)) slot++;
    this.taken.add(slot);
    try {
      return await run(slot);
    } finally {
      this.taken.delete(slot);
    }
  }
}
