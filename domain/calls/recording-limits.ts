/** 200 MB, taken as mebibytes so that nobody's 200 MB is too large: docs/limits.md#body-sizes */
export const RECORDING_LIMIT_BYTES = 200 * 1024 * 1024;
