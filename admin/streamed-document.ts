/** Streams a JSON document whose lists may be too long for memory. @param members an async iterable becomes a list */
export async function* streamedDocument(members: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(members)) {
    yield `${before}\n  ${JSON.stringify(name)}: `;
    if (isAsyncIterable(member)) yield* listOf(member);
    else yield JSON.stringify(member);
    before = ',';
  }
  yield '\n}\n';
}

async function* listOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n    ${JSON.stringify(item)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
