/**
 * Most tokens that one request can cost: the local prompt count with a margin of 10 % (tokenizers differ), rounded
 * up, plus the output cap. What is reserved before sending, and what is charged when nobody tells.
 */
export function upperBound(promptTokens: number, maxOutputTokens: number): number {
  return Math.ceil((promptTokens * 11) / 10) + maxOutputTokens;
}
