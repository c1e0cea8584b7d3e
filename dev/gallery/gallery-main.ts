import { stopSignal, untilAborted } from '../../adapters/process/stop-signal.ts';
import { listen } from '../../dashboard/serving/listen.ts';
import { serveGallery } from './serve-gallery.ts';

const HOST = '127.0.0.1';

await using gallery = await listen(serveGallery(), { host: HOST, port: 0 });
process.stdout.write(`Components: http://${HOST}:${gallery.port}/ and /guest; Ctrl-C ends it.\n`);
await untilAborted(stopSignal());
