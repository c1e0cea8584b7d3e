import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** The histories of every workflow in the namespace as text, with their payloads opened. */
export async function readHistories(address: string, namespace: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace });
    const histories: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      histories.push(openingPayloads(historyToJSON(history)));
    }
    return histories;
  } finally {
    await connection.close();
  }
}

/** Payloads are bytes in base64; each is shown with its text behind it. */
function openingPayloads(json: string): string {
  return json.replace(
    /"([A-Za-z0-9+/]{8,}={0,2})"/g,
    (quoted, base64: string) => `${quoted} ${Buffer.from(base64, 'base64').toString('utf8')}`,
  );
}
