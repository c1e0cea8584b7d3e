/** The least that a workflow can be. */
export async function bareWorkflow(): Promise<void> {}
