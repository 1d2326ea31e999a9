// OSC, DCS, SOS, PM and APC strings up to their terminator or the end of the line; CSI sequences; two-byte escapes.
const escapeSequences =
  /\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[\u001b]\[[0-?]*[ -/]*[@-~]?|\u009b[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
// C0 but tab and line feed, DEL, C1, bidirectional controls.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text without terminal escape sequences, control characters (tab and line feed stay) and bidirectional overrides. */
export function plainText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(escapeSequences, '').replaceAll(controls, '');
}
