/** Environment variables that change what plat does, with their effects. */
export const ENVIRONMENT = {
  PLAT_BASE_URL: 'address of the service',
  PLAT_API_KEY: 'API key; no option takes the key itself',
  PLAT_PROFILE: 'name of the profile whose server and key are used',
  PLAT_DATA_DIR: 'folder of the sandbox; when absent, .plat in this folder or one above it',
  PLAT_WEBHOOK_SECRET: 'signing secret for webhooks verify, sign and send, and for trigger --raw',
  PLAT_APP_SECRET: 'secret of an OAuth app, for oauth try and oauth introspect',
  XDG_CONFIG_HOME: 'folder of plat/credentials.json; ~/.config when absent',
  XDG_STATE_HOME: 'folder of the secrets and positions of plat listen; ~/.local/state when absent',
  XDG_CACHE_HOME: 'folder of the compiled code of the server of plat dev; ~/.cache when absent',
  APPDATA: 'on Windows, the same as XDG_CONFIG_HOME',
  LOCALAPPDATA: 'on Windows, the same as XDG_STATE_HOME and XDG_CACHE_HOME',
  NO_COLOR: 'not empty: no colours',
  FORCE_COLOR: 'colours in pipes too; 0 or false: none. It precedes NO_COLOR',
  CI: 'not empty: no page opens in the browser',
  SSH_CONNECTION: 'not empty: no page opens in the browser',
} as const;

/** Sources of the server and the key in Markdown; each has priority over those after it. */
export const CONNECTION_ORDER = [
  '`--base-url` and `--api-key-file <file>` (`-` reads stdin)',
  '`PLAT_BASE_URL` and `PLAT_API_KEY`',
  'the profile that `--profile <name>` or `PLAT_PROFILE` names',
  'the sandbox that `plat dev` runs (`npm start` in a clone): `.plat/sandbox.json` in this folder or one above it, or in `PLAT_DATA_DIR`',
  'the profile in use, which `plat login`, `plat keys mint --save` and `plat profile add` store in `$XDG_CONFIG_HOME/plat/credentials.json` (else `~/.config/plat/`; mode 0600)',
] as const;
