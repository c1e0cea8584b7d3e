/** Whether the deployment's Prometheus answers a question of PromQL with anything. */
export async function isTold(query: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:9090/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as { data: { result: unknown[] } };
  return data.result.length > 0;
}
