import { openBrowser } from '../../support/pages/browser.ts';
import { startTestDashboard } from '../../support/pages/dashboard-server.ts';
import type { Scene } from './histories.ts';

/** A dashboard and a browser, where time goes by when it is told to. */
export async function setStage(): Promise<Scene & AsyncDisposable> {
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const [dashboard, browser] = await Promise.all([startTestDashboard({ now }), openBrowser()]);
  return {
    dashboard,
    browser,
    pass: (ms) => void (ahead += ms),
    seen: new Set(),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await dashboard[Symbol.asyncDispose]();
    },
  };
}
