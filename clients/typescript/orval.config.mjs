/** Generates `src/operations.ts`, a function for each operation and a type for each schema. */
export default {
  clinic: {
    input: './openapi.json',
    output: {
      target: './src/operations.ts',
      client: 'fetch',
      headers: true,
      override: { fetch: { useRuntimeFetcher: true } },
    },
  },
};
