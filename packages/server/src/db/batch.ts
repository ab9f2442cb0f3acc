/** Maximum number of rows that one transaction deletes. SQLite blocks the thread that serves requests meanwhile. */
export const BATCH = { sqlite: 200, mariadb: 500, mysql: 500 } as const;
