import { prettyJson, SAMPLE_FILE, type SampleRequest } from './sample-request.ts';

export function curlSample({ method, url, isKeyed, takesIdempotencyKey, body, file }: SampleRequest): string {
  const lines = [
    `curl ${methodFlag(method, body !== undefined)}${quoted(url)}`,
    isKeyed && '-H "Authorization: Bearer $API_KEY"',
    takesIdempotencyKey && '-H "Idempotency-Key: $(openssl rand -hex 16)"',
    body !== undefined && "-H 'Content-Type: application/json'",
    body !== undefined && `-d ${quoted(prettyJson(body))}`,
    file !== undefined && `-H 'Content-Type: ${file}'`,
    file !== undefined && `--data-binary @${SAMPLE_FILE}`,
  ];
  return lines.filter((line) => line !== false).join(' \\\n  ');
}

/** The flag for the method; none where curl's default is right: GET, or POST with a body. */
function methodFlag(method: string, hasBody: boolean): string {
  return method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${method} `;
}

/** The text, in single quotes if the shell would interpret something. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
