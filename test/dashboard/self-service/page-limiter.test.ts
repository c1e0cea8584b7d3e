import { expect, test } from '@jest/globals';
import { createPageLimiter } from '../../../dashboard/self-service/page-limiter.ts';

test('an address has its whole burst in a process that has just started, too', async () => {
  const { letIn } = createPageLimiter();
  const pages = Array.from({ length: 120 }, (_, nr) => letIn('198.51.100.1', `place ${nr}`));
  await expect(Promise.all(pages)).resolves.toHaveLength(120);
});
