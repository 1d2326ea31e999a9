import type { Message, ModelRequest } from '../schema/model-call.ts';

/** The text of a message's parts, joined by line breaks. Tool calls are not part of it. */
export function messageText(message: Message): string {
  return message.content.map((part) => part.text).join('\n');
}

/** The text of all messages of one role, in order, joined by line breaks. */
export function textOfRole(request: ModelRequest, role: Message['role']): string {
  return request.messages
    .filter((message) => message.role === role)
    .map(messageText)
    .join('\n');
}
