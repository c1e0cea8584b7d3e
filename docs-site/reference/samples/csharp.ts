import { indent, prettyJson, SAMPLE_FILE, type SampleRequest } from './sample-request.ts';

/** The request as a whole program for .NET 8 or newer. */
export function csharpSample(request: SampleRequest): string {
  const { method, url, isKeyed, takesIdempotencyKey, body, file, answersJson } = request;
  const lines = [
    body !== undefined && 'using System.Text;\n',
    file !== undefined && 'using System.Net.Http.Headers;\n',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${titleCase(method)}, "${url}");`,
    isKeyed &&
      'request.Headers.Add("Authorization", $"Bearer {Environment.GetEnvironmentVariable("API_KEY")}");',
    takesIdempotencyKey && 'request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());',
    body !== undefined && contentOf(body),
    file !== undefined && `request.Content = new ByteArrayContent(File.ReadAllBytes("${SAMPLE_FILE}"));`,
    file !== undefined && `request.Content.Headers.ContentType = new MediaTypeHeaderValue("${file}");`,
    'using var response = await client.SendAsync(request);',
    answersJson
      ? 'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");'
      : 'Console.WriteLine((int)response.StatusCode);',
  ];
  return lines.filter((line) => line !== false).join('\n');
}

function contentOf(body: unknown): string {
  const json = `"""\n${prettyJson(body)}\n"""`;
  return `request.Content = new StringContent(${indent(json, 4)}, Encoding.UTF8, "application/json");`;
}

function titleCase(method: string): string {
  return `${method.charAt(0)}${method.slice(1).toLowerCase()}`;
}
