import { startS3Server } from '../support/servers/s3-server.ts';
import { recordingsIn } from './recordings-in-storage.ts';

recordingsIn(startS3Server);
