import { indent, SAMPLE_FILE, type SampleRequest } from './sample-request.ts';

/** The request for PHP 8 with its curl extension. */
export function phpSample(request: SampleRequest): string {
  const { method, url, body, file, answersJson } = request;
  const headers = headersOf(request);
  const options = [
    'CURLOPT_RETURNTRANSFER => true,',
    method !== 'GET' && `CURLOPT_CUSTOMREQUEST => '${method}',`,
    headers.length > 0 && `CURLOPT_HTTPHEADER => [\n        ${headers.join('\n        ')}\n    ],`,
    body !== undefined && `CURLOPT_POSTFIELDS => json_encode(${indent(literal(body), 4)}),`,
    file !== undefined && `CURLOPT_POSTFIELDS => file_get_contents('${SAMPLE_FILE}'),`,
  ].filter((line) => line !== false);
  const answer = answersJson ? ", ' ', $answer" : '';
  return [
    '<?php',
    `$request = curl_init('${url}');`,
    `curl_setopt_array($request, [\n    ${options.join('\n    ')}\n]);`,
    '$answer = curl_exec($request);',
    `echo curl_getinfo($request, CURLINFO_RESPONSE_CODE)${answer}, PHP_EOL;`,
  ].join('\n');
}

function headersOf({ isKeyed, takesIdempotencyKey, body, file }: SampleRequest): string[] {
  return [
    isKeyed && "'Authorization: Bearer ' . getenv('API_KEY'),",
    takesIdempotencyKey && "'Idempotency-Key: ' . bin2hex(random_bytes(16)),",
    body !== undefined && "'Content-Type: application/json',",
    file !== undefined && `'Content-Type: ${file}',`,
  ].filter((line) => line !== false);
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Array.isArray(value)
    ? value.map(literal)
    : Object.entries(value).map(([name, member]) => `'${name}' => ${literal(member)}`);
  if (entries.length === 0) return Array.isArray(value) ? '[]' : 'new stdClass()';
  return `[\n    ${entries.map((entry) => indent(entry, 4)).join(',\n    ')},\n]`;
}
