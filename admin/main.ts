import { endWithOutput, runAdmin } from './run-admin.ts';

endWithOutput(process);
process.exitCode = await runAdmin(process.argv.slice(2), process.env, process);
