/** Who asks, in which request, and when. Written to the timeline; never holds patient data. */
export interface CommandContext {
  /** `key:<api key id>`, `workflow:<workflow id>` or `operator`. */
  actor: string;
  requestId: string | null;
  now: Date;
}
