/** The value below which the share `rank` (0 to 1) of the samples lies; NaN without samples. */
export function percentile(samples: readonly number[], rank: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * rank))] ?? Number.NaN;
}

/** p50, p99 and the largest, in milliseconds with one decimal. */
export function summary(samples: readonly number[]): { p50: number; p99: number; max: number } {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    p50: rounded(percentile(samples, 0.5)),
    p99: rounded(percentile(samples, 0.99)),
    max: rounded(percentile(samples, 1)),
  };
}
