// npm run build: installs what the clone lacks, and builds what has changed.
import { bootstrap, main } from './lib/bootstrap.mjs';

await main(async () => {
  await bootstrap();
  return 0;
});
