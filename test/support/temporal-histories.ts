import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const AT_ONCE = 16;

/** The histories of every workflow in the namespace as text, with their payloads opened. */
export async function readHistories(address: string, namespace: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    const runs = await Array.fromAsync(workflow.list());
    const histories: string[] = [];
    const reader = async (): Promise<void> => {
      for (let run = runs.pop(); run; run = runs.pop()) {
        const history = await workflow.getHandle(run.workflowId, run.runId).fetchHistory();
        histories.push(openingPayloads(historyToJSON(history)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, reader));
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
