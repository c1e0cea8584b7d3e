/** A JSON document of which some members are lists too long for memory: their items are written as they come. */
export class StreamedDocument {
  private readonly members: Readonly<Record<string, unknown>>;

  /** @param members an async iterable becomes a list */
  constructor(members: Readonly<Record<string, unknown>>) {
    this.members = members;
  }

  /** The text, piece by piece. */
  async *pieces(): AsyncGenerator<string> {
    let before = '{';
    for (const [name, member] of Object.entries(this.members)) {
      yield `${before}\n  ${JSON.stringify(name)}: `;
      if (isAsyncIterable(member)) yield* listOf(member);
      else yield JSON.stringify(member);
      before = ',';
    }
    yield '\n}\n';
  }
}

async function* listOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n    ${JSON.stringify(item)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : '\n  ]';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
