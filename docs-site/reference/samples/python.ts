import { indent, prettyJson, SAMPLE_FILE, type SampleRequest } from './sample-request.ts';

/** The request for Python 3 with `requests`. */
export function pythonSample(request: SampleRequest): string {
  const { method, url, isKeyed, takesIdempotencyKey, body, file, answersJson } = request;
  const headers = [
    isKeyed && `"Authorization": f"Bearer {os.environ['API_KEY']}",`,
    takesIdempotencyKey && '"Idempotency-Key": str(uuid.uuid4()),',
    file !== undefined && `"Content-Type": "${file}",`,
  ].filter((line) => line !== false);
  const imports = ['os', takesIdempotencyKey && 'uuid'].filter((name) => name !== false);
  const lines = [
    `"${url}",`,
    headers.length > 0 && `headers={\n        ${headers.join('\n        ')}\n    },`,
    body !== undefined && `json=${indent(literal(body), 4)},`,
    file !== undefined && `data=open("${SAMPLE_FILE}", "rb"),`,
  ].filter((line) => line !== false);
  return [
    ...(isKeyed ? [...imports.map((name) => `import ${name}`), ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(\n    ${lines.join('\n    ')}\n)`,
    answersJson ? 'print(response.status_code, response.json())' : 'print(response.status_code)',
  ].join('\n');
}

/** A value in Python’s syntax. */
function literal(value: unknown): string {
  return prettyJson(value).replaceAll(
    /^(\s*(?:"[^"]*": )?)(true|false|null)(,?)$/gm,
    (_, before: string, word: string, after: string) => `${before}${WORDS[word]}${after}`,
  );
}

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
