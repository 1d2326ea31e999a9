import type { Delta } from '../../contract/provider-port.ts';
import { reasoningItem } from '../../domain/reasoning-item.ts';
import type { EventWriter, ReplyIdentity } from '../front-wire.ts';
import { callItem, messageItem, refusalPart, responseFrame, responseUsage, textPart } from './render-response.ts';

type Item = Record<string, unknown>;

/** The item that is being written. */
type Open = OpenText | OpenCall;
interface OpenText {
  readonly kind: 'text';
  text: string;
}
interface OpenCall {
  readonly kind: 'call';
  readonly index: number;
  readonly call: { id: string; name: string; arguments: string };
}

/** Events of a streamed `response`; items are numbered as they open and one is open at a time. */
export function openResponseEvents(identity: ReplyIdentity): EventWriter {
  const output: Item[] = [];
  let open: Open | null = null;
  let sequence = 0;

  const event = (type: string, fields: Item): string => {
    const data = { type, sequence_number: sequence, ...fields };
    sequence += 1;
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  };
  const at = (item: Item): Item => ({ item_id: item['id'], output_index: output.length });
  const start = (): string => {
    if (sequence > 0) return '';
    const response = responseFrame(identity, null);
    return event('response.created', { response }) + event('response.in_progress', { response });
  };
  const added = (item: Item): string => event('response.output_item.added', { output_index: output.length, item });
  const done = (item: Item): string => {
    const told = event('response.output_item.done', { output_index: output.length, item });
    output.push(item);
    return told;
  };

  const close = (): string => {
    const closing = open;
    open = null;
    if (closing === null) return '';
    if (closing.kind === 'call') {
      const item = callItem(output.length, identity, closing.call);
      const fields = { ...at(item), name: closing.call.name, arguments: closing.call.arguments };
      return event('response.function_call_arguments.done', fields) + done(item);
    }
    const part = textPart(closing.text);
    const item = messageItem(output.length, identity, [part]);
    const place = { ...at(item), content_index: 0 };
    return (
      event('response.output_text.done', { ...place, text: closing.text, logprobs: [] }) +
      event('response.content_part.done', { ...place, part }) +
      done(item)
    );
  };

  const text = (piece: string): string => {
    let opened: OpenText | null = open?.kind === 'text' ? open : null;
    let opening = '';
    if (opened === null) {
      opening = close();
      opened = { kind: 'text', text: '' };
      open = opened;
      const item = messageItem(output.length, identity, [], 'in_progress');
      opening += added(item);
      opening += event('response.content_part.added', { ...at(item), content_index: 0, part: textPart('') });
    }
    opened.text += piece;
    const place = { ...at(messageItem(output.length, identity, [])), content_index: 0 };
    return opening + event('response.output_text.delta', { ...place, delta: piece, logprobs: [] });
  };

  const call = (delta: Extract<Delta, { kind: 'tool-call' }>): string => {
    let opened: OpenCall | null = open?.kind === 'call' && open.index === delta.index ? open : null;
    let opening = '';
    if (opened === null) {
      opening = close();
      opened = {
        kind: 'call',
        index: delta.index,
        call: { id: delta.id ?? '', name: delta.name ?? '', arguments: '' },
      };
      open = opened;
      opening += added(callItem(output.length, identity, opened.call, 'in_progress'));
    }
    opened.call.arguments += delta.arguments;
    if (delta.arguments === '') return opening;
    const place = at(callItem(output.length, identity, opened.call));
    return opening + event('response.function_call_arguments.delta', { ...place, delta: delta.arguments });
  };

  const whole = (item: Item): string => close() + added(item) + done(item);

  const piece = (delta: Delta): string => {
    switch (delta.kind) {
      case 'reasoning':
        return reasoningItem(delta.reasoning).map(whole).join('');
      case 'text':
        return text(delta.text);
      case 'tool-call':
        return call(delta);
    }
  };

  return {
    delta: (delta) => start() + piece(delta),
    finish: (response) => {
      const opening = start();
      const refused = response.finishReason === 'refusal' ? response.content.map((part) => part.text).join('') : null;
      const closing = close();
      const refusal = refused === null ? '' : whole(messageItem(output.length, identity, [refusalPart(refused)]));
      const frame = responseFrame(identity, response.finishReason);
      const told = { ...frame, output, usage: responseUsage(response.usage) };
      return opening + closing + refusal + event(`response.${String(frame['status'])}`, { response: told });
    },
    broken: ({ code, message, type }) => event('error', { code, message, param: null, error: { type, code, message } }),
  };
}
