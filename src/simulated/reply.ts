/** What a role of the simulated model says, before it becomes a response with usage. */
export interface Reply {
  readonly text: string;
  /** Shell command for the `bash` tool; null = text only. */
  readonly command: string | null;
}

/** A reply of text alone. */
export function textReply(text: string): Reply {
  return { text, command: null };
}
