/** The value below which the share `rank` (0 to 1) of the samples lies; NaN without samples. */
export function percentile(samples: readonly number[], rank: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * rank))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** The columns of a table about latencies. */
export function latencyColumns(samples: readonly number[]): Record<string, number> {
  return {
    'p50 ms': percentile(samples, 0.5),
    'p95 ms': percentile(samples, 0.95),
    'p99 ms': percentile(samples, 0.99),
    'max ms': percentile(samples, 1),
  };
}
