import { DatabaseSync } from 'node:sqlite';
import { grantsTableSql, OAuth, sqlStore } from '@plat/sdk/oauth';

let oauth;

/** Returns the OAuth app of this process. `next build` imports the routes without the variables of the app. */
export function oauthApp() {
  oauth ??= createApp();
  return oauth;
}

function createApp() {
  const { PLAT_BASE_URL, PLAT_CLIENT_ID, PLAT_CLIENT_SECRET, APP_URL, DATABASE = 'app.db' } = process.env;
  const database = new DatabaseSync(DATABASE);
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(grantsTableSql('sqlite'));
  return new OAuth({
    baseUrl: PLAT_BASE_URL,
    clientId: PLAT_CLIENT_ID,
    clientSecret: PLAT_CLIENT_SECRET,
    redirectUri: `${APP_URL}/callback`,
    store: sqlStore({
      dialect: 'sqlite',
      query(sql, values) {
        const statement = database.prepare(sql);
        return sql.startsWith('SELECT') ? statement.all(...values) : statement.run(...values);
      },
    }),
  });
}
