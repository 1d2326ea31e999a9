/** The four files of a harness, in the order that its digest covers them. */
export const harnessFileNames = ['agent.py', 'environment.py', 'playbook.md', 'systemprompt.md'] as const;

/** Bytes of the four files. */
export type HarnessFiles = Readonly<Record<(typeof harnessFileNames)[number], Uint8Array>>;
