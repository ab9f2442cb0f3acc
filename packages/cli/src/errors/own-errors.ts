import type { ErrorExplanation } from '@plat/contract/error-reference';
import type { EXIT_CODES } from './exit-codes.ts';

/** Cause, fix and exit code of an error that no server returns. */
export type OwnError = ErrorExplanation<keyof typeof EXIT_CODES>;

/** Errors that the CLI itself raises. Scripts branch on these codes: they are only ever added. */
export const CLI_ERRORS = {
  USAGE: {
    exit: 'usage',
    cause: '`plat` does not understand the command line. Nothing was sent.',
    fix: 'See the help of the command: `plat help <command>`.',
  },
  UNREADABLE_INPUT: {
    exit: 'usage',
    cause: 'A file that an option names cannot be read, or has the wrong content.',
    fix: 'Check the path and its permissions; `-` stands for stdin.',
  },
  NO_BASE_URL: {
    exit: 'usage',
    cause: 'No server is configured, or a key would be sent to an address that only a file names.',
    fix: 'Set `PLAT_BASE_URL`, pass `--base-url`, or choose a profile.',
  },
  NO_API_KEY: {
    exit: 'auth',
    cause: 'There is no API key for the selected server.',
    fix: 'Set `PLAT_API_KEY`, pass `--api-key-file`, or run `plat login` and `plat keys mint --save`. `plat dev` (in a clone of the repository also `npm start`) runs a sandbox that has a key.',
  },
  NOT_LOGGED_IN: {
    exit: 'auth',
    cause: 'The command needs a developer login to this server, and there is none.',
    fix: 'Log in: `plat login`.',
  },
  UNREADABLE_CREDENTIALS: {
    exit: 'usage',
    cause: 'The file with profiles cannot be read, or another program wrote it.',
    fix: 'Repair it, or delete it and log in again: `plat login`.',
  },
  UNWRITABLE_CREDENTIALS: {
    exit: 'unexpected',
    cause: 'The file with profiles cannot be written.',
    fix: 'Make its folder writable, or set `XDG_CONFIG_HOME`.',
  },
  CONFIRMATION_REQUIRED: {
    exit: 'confirmation',
    cause: 'The action cannot be undone and was not confirmed: there is no terminal, or the answer was no.',
    fix: 'To confirm, add `--yes`.',
  },
  LIVE_KEY_NEEDS_FLAG: {
    exit: 'confirmation',
    cause: 'The command would change something with a production key (`plat_live_…`) without `--live`.',
    fix: 'To confirm, add `--live`.',
  },
  EVENT_NOT_CAUSABLE: {
    exit: 'refused',
    cause:
      'No API key can cause this event: only an invitee, an operator, an owner at a consent page, or an app and its developer can.',
    fix: 'Ask that person, or send a sample to a receiver: `plat trigger <event_type> --raw --to <url>`.',
  },
  LISTENER_RUNNING: {
    exit: 'conflict',
    cause: 'Another `plat listen` forwards the same events to the same address.',
    fix: 'Stop it, or pass another `--cursor-file`.',
  },
  UNREADABLE_STATE: {
    exit: 'usage',
    cause: 'A state file of `plat listen` cannot be read, or has the wrong content.',
    fix: 'Repair or delete it. Without its cursor, a listener starts with new events.',
  },
  UNWRITABLE_STATE: {
    exit: 'unexpected',
    cause: 'A state file of `plat listen` cannot be written.',
    fix: 'Make its folder writable, set `XDG_STATE_HOME`, or name another file.',
  },
  NO_DEV_TOOLS: {
    exit: 'notFound',
    cause: 'The server is not in development mode, or not on this machine, so `plat dev` cannot control it.',
    fix: 'Start a server here: `plat dev`; in a clone of the repository also `npm start`.',
  },
  SERVER_NOT_FOUND: {
    exit: 'usage',
    cause: '`plat dev` runs the server of `@plat/server`, which is not installed, or which npm could not download.',
    fix: '`npm install --save-dev @plat/server`, or let npm download it into its cache: `plat dev --yes`. If the registry does not have it, install a tarball, or pass `--server <file>`.',
  },
  SERVER_FAILED: {
    exit: 'server',
    cause: 'The server that `plat dev` started ended: its port is in use, or its database cannot be opened.',
    fix: 'Read its output above. `--port 0` takes any free port, `--fresh` a separate database.',
  },
  UNWRITABLE_OUTPUT: {
    exit: 'unexpected',
    cause: 'Stdout cannot be written, usually because the disk is full. A change may have been made nevertheless.',
    fix: 'Free some space, or write to another file.',
  },
  INTERRUPTED: {
    exit: 'interrupted',
    cause: 'Ctrl-C ended a list before its last item. The message has the number of items that were written.',
    fix: 'Continue with the cursor that the message names, or start again.',
  },
  UNEXPECTED: {
    exit: 'unexpected',
    cause: '`plat` itself failed.',
    fix: 'Report it with the command that you typed.',
  },
} as const satisfies Readonly<Record<string, OwnError>>;

/** Errors of the connection to the server, raised by the SDK. */
export const CONNECTION_ERRORS = {
  CONNECTION_FAILED: {
    exit: 'network',
    cause: 'No connection, or it was interrupted: wrong address, server not running, DNS, TLS or a proxy.',
    fix: '`plat doctor` shows which address is used and where it comes from.',
  },
  TIMEOUT: {
    exit: 'network',
    cause: 'The server did not answer in time.',
    fix: 'Try again; repeating a create with the same `--idempotency-key` is safe.',
  },
  INVALID_RESPONSE: {
    exit: 'server',
    cause: 'The response is not from the API: another service has this address, or a proxy answered.',
    fix: 'Check the base URL, which ends before `/v1`: `plat doctor`.',
  },
  UNEXPECTED_REDIRECT: {
    exit: 'server',
    cause: 'The server answered with a redirect. `plat` does not follow it, because that would pass on the key.',
    fix: 'Set the base URL to the final address, for example with `https`: `plat doctor`.',
  },
  RESPONSE_TOO_LARGE: {
    exit: 'server',
    cause: 'The response is larger than 16 MiB, far above any response of the API.',
    fix: 'Check the base URL, which ends before `/v1`: `plat doctor`.',
  },
  LIST_STALLED: {
    exit: 'server',
    cause: 'The server returned the same page again, or only empty pages.',
    fix: 'Report it with the request id.',
  },
  INVALID_ARGUMENT: {
    exit: 'usage',
    cause:
      'A value cannot be sent: an id with a slash, an invalid base URL, a key with a line break. Nothing was sent.',
    fix: 'Correct the value that the message names.',
  },
} as const satisfies Readonly<Record<string, OwnError>>;

/** Failed checks of a command. Those of `plat webhooks verify` and `plat launch verify` are in their packages. */
export const CHECK_ERRORS = {
  NOT_ACCEPTED: {
    exit: 'checkFailed',
    cause: 'A receiver did not answer an event with 2xx.',
    fix: 'See its response: `plat webhooks deliveries list --event-id <id>`.',
  },
  RECEIVER_FAILED: {
    exit: 'checkFailed',
    cause:
      'A receiver failed cases of `plat webhooks test` or `plat launch test`: it refused a valid request, or accepted an invalid one.',
    fix: 'Follow the advice of each failed case, and run the test again.',
  },
  NO_ENDPOINT: {
    exit: 'checkFailed',
    cause: 'No enabled webhook endpoint subscribes to this event type.',
    fix: 'Create one: `plat webhooks endpoints create --url <url> --events <type>`.',
  },
  NOT_IN_TIME: {
    exit: 'checkFailed',
    cause: 'The command timed out before an event was listed, or attempted at every endpoint.',
    fix: 'Check that `plat-server serve` or `plat-server worker` runs; an endpoint that keeps failing is paused.',
  },
  REPLAY_CANCELED: {
    exit: 'checkFailed',
    cause: 'A replay was canceled before it was complete.',
    fix: 'If that was a mistake, create it again.',
  },
  AUTHORIZATION_FAILED: {
    exit: 'checkFailed',
    cause: 'The redirect of an authorization carried an `error` other than `access_denied`; the message names it.',
    fix: '`invalid_scope`: request scopes that the app is registered with. See `plat apps get <app_id>`.',
  },
  STATE_MISMATCH: {
    exit: 'checkFailed',
    cause: 'The redirect URI received the state of another authorization: an old tab, or a forged request.',
    fix: 'Run `plat oauth try` again, and answer on the page that opens then.',
  },
  INVALID_CALLBACK: {
    exit: 'checkFailed',
    cause: 'The redirect URI received neither a code nor an error.',
    fix: 'Run `plat oauth try` again, and answer on the page that opens then.',
  },
  REFRESH_FAILED: {
    exit: 'checkFailed',
    cause: 'The token endpoint did not answer the refresh.',
    fix: 'Check the server with `plat doctor`, then run `plat oauth try` again.',
  },
  REAUTHORIZATION_REQUIRED: {
    exit: 'checkFailed',
    cause: 'The service refused the refresh token: the consent was revoked.',
    fix: 'Run `plat oauth try` again, and consent again.',
  },
  DOCTOR_FAILED: {
    exit: 'checkFailed',
    cause: '`plat doctor` found a problem.',
    fix: 'Follow the advice below each failed line.',
  },
} as const satisfies Readonly<Record<string, OwnError>>;

/** Every error that the CLI reports and no server returns. */
export const OWN_ERRORS = { ...CLI_ERRORS, ...CONNECTION_ERRORS, ...CHECK_ERRORS };
