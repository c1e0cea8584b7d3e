import { indent, prettyJson, SAMPLE_FILE, type SampleRequest } from './sample-request.ts';

/** The request for Node 20 or newer, as a module. */
export function nodeSample(request: SampleRequest): string {
  const { method, url, body, file, answersJson } = request;
  const headers = headersOf(request);
  const options = [
    method !== 'GET' && `method: '${method}',`,
    headers.length > 0 && `headers: {\n    ${headers.join('\n    ')}\n  },`,
    body !== undefined && `body: JSON.stringify(${indent(literal(body), 2)}),`,
    file !== undefined && `body: await readFile('${SAMPLE_FILE}'),`,
  ].filter((line) => line !== false);
  const argument = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : '';
  return [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises';\n"]),
    `const response = await fetch('${url}'${argument});`,
    answersJson ? 'console.log(response.status, await response.json());' : 'console.log(response.status);',
  ].join('\n');
}

function headersOf({ isKeyed, takesIdempotencyKey, body, file }: SampleRequest): string[] {
  return [
    isKeyed && 'Authorization: `Bearer ${process.env.API_KEY}`,',
    takesIdempotencyKey && "'Idempotency-Key': crypto.randomUUID(),",
    body !== undefined && "'Content-Type': 'application/json',",
    file !== undefined && `'Content-Type': '${file}',`,
  ].filter((line) => line !== false);
}

/** JSON in JavaScript style: names without quotes where possible. */
function literal(value: unknown): string {
  return prettyJson(value)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");
}
