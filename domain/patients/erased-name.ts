/** What stands in the place of a patient's data: docs/operations.md#erase-a-patient */
export const ERASED_NAME = 'erased';
