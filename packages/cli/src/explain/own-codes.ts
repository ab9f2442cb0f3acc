import { CLI_ERROR_CODES, type CliErrorCode } from '../errors/cli-error.ts';
import { EXIT_CODES, type ExitCode } from '../errors/exit-codes.ts';
import type { Explanation } from './error-explanations.ts';

/** Codes that no server answers with. */
type OwnCode = CliErrorCode | ConnectionCode | CheckCode;

/** Of the way to the server and back: the SDK's. */
type ConnectionCode = 'CONNECTION_FAILED' | 'TIMEOUT' | 'INVALID_RESPONSE' | 'LIST_STALLED' | 'INVALID_ARGUMENT';

/** What a command found that looks at something. Those of `plat webhooks verify` are in @plat/webhooks. */
type CheckCode =
  | 'NOT_ACCEPTED'
  | 'NO_ENDPOINT'
  | 'NOT_IN_TIME'
  | 'REPLAY_CANCELED'
  | 'DOCTOR_FAILED'
  | 'AUTHORIZATION_FAILED'
  | 'STATE_MISMATCH'
  | 'INVALID_CALLBACK'
  | 'REFRESH_FAILED'
  | 'REAUTHORIZATION_REQUIRED';

/** Code → why it comes, what to do, and what the process ends with. */
export const OWN_CODES: Readonly<Record<OwnCode, Explanation & { readonly exit: ExitCode }>> = {
  ...ofTheCli({
    USAGE: {
      cause: 'The command line is not one that `plat` understands. Nothing was sent.',
      fix: 'See the help of the command: `plat help <command>`.',
    },
    UNREADABLE_INPUT: {
      cause: 'A file that an option names cannot be read, or does not hold what it should.',
      fix: 'Check the path and who may read it; `-` stands for stdin.',
    },
    NO_BASE_URL: {
      cause: 'It is not known which server is meant, or a key would go to an address that only a file names.',
      fix: 'Set `PLAT_BASE_URL`, give `--base-url`, or choose a profile.',
    },
    NO_API_KEY: {
      cause: 'There is no API key for the server that is meant.',
      fix: 'Set `PLAT_API_KEY`, give `--api-key-file`, or `plat login` and `plat keys mint --save`. `plat dev` (in a clone of the repository also `npm start`) runs a sandbox that has one.',
    },
    NOT_LOGGED_IN: {
      cause: 'The command needs a login of a developer, and there is none to this server.',
      fix: '`plat login`',
    },
    UNREADABLE_CREDENTIALS: {
      cause: 'The file with profiles cannot be read, or was written by something else.',
      fix: 'Mend it, or delete it and log in again: `plat login`.',
    },
    UNWRITABLE_CREDENTIALS: {
      cause: 'The file with profiles cannot be written.',
      fix: 'Make its folder writable, or set `XDG_CONFIG_HOME`.',
    },
    CONFIRMATION_REQUIRED: {
      cause:
        'What was asked for is for good, and nobody said yes: there is no terminal to ask at, or the answer was no.',
      fix: 'If it is meant, add `--yes`.',
    },
    LIVE_KEY_NEEDS_FLAG: {
      cause: 'A change with a production key (`plat_live_…`) and without `--live`.',
      fix: 'If it is meant, add `--live`.',
    },
    EVENT_NOT_CAUSABLE: {
      cause: 'No API key causes this event: it takes an invitee, an operator or an owner at a consent page.',
      fix: 'Let them do it, or send a sample to a receiver: `plat trigger <event_type> --raw --to <url>`.',
    },
    LISTENER_RUNNING: {
      cause: 'Another `plat listen` forwards the same events to the same address.',
      fix: 'Stop it, or give this one a `--cursor-file` of its own.',
    },
    UNREADABLE_STATE: {
      cause: 'A file that `plat listen` keeps cannot be read, or holds something else.',
      fix: 'Mend it or delete it; without its cursor a listener begins with what happens from then on.',
    },
    UNWRITABLE_STATE: {
      cause: 'A file that `plat listen` keeps cannot be written.',
      fix: 'Make its folder writable, set `XDG_STATE_HOME`, or name another file.',
    },
    NO_DEV_TOOLS: {
      cause: 'The server is not in the development mode, or not on this machine, so `plat dev` cannot command it.',
      fix: 'Start one here: `plat dev`; in a clone of the repository also `npm start`.',
    },
    SERVER_NOT_FOUND: {
      cause: '`plat dev` runs the server of `@plat/server`, which is not installed, or which npm could not fetch.',
      fix: '`npm install --save-dev @plat/server`, or let npm fetch it into its cache: `plat dev --yes`.',
    },
    SERVER_FAILED: {
      cause:
        'The server that `plat dev` started ended by itself: a port that is taken, a database that cannot be opened.',
      fix: 'See what it printed before; `--port 0` takes any free port, `--fresh` a database of its own.',
    },
    UNWRITABLE_OUTPUT: {
      cause: 'What stdout leads to takes nothing more: mostly a full disk. A change may have been made all the same.',
      fix: 'Make room, or write to another file.',
    },
    UNEXPECTED: {
      cause: 'A fault of `plat` itself.',
      fix: 'Report it with the command that was typed.',
    },
  }),
  CONNECTION_FAILED: {
    exit: EXIT_CODES.network,
    cause: 'No connection, or it broke off: a wrong address, a server that does not run, DNS, TLS or a proxy.',
    fix: '`plat doctor` says which address is used and from where it is.',
  },
  TIMEOUT: {
    exit: EXIT_CODES.network,
    cause: 'The server did not answer in time.',
    fix: 'Try again; a create that was sent with an `--idempotency-key` is done once.',
  },
  INVALID_RESPONSE: {
    exit: EXIT_CODES.server,
    cause: 'What answered is not the API: another service at the address, or something in between.',
    fix: 'Check the base URL, which ends before `/v1`: `plat doctor`.',
  },
  LIST_STALLED: {
    exit: EXIT_CODES.server,
    cause: 'The server gave the same page again, or only empty ones.',
    fix: 'Report it with the request id.',
  },
  INVALID_ARGUMENT: {
    exit: EXIT_CODES.usage,
    cause:
      'A value cannot be sent: an id with a slash, a base URL that is none, a key with a line break. Nothing was sent.',
    fix: 'Correct what the message names.',
  },
  NOT_ACCEPTED: {
    exit: EXIT_CODES.checkFailed,
    cause: 'A receiver did not answer an event with 2xx.',
    fix: 'Look at what it answered: `plat webhooks deliveries list --event-id <id>`.',
  },
  NO_ENDPOINT: {
    exit: EXIT_CODES.checkFailed,
    cause: 'No enabled webhook endpoint wants this event type.',
    fix: '`plat webhooks endpoints create --url <url> --events <type>`',
  },
  NOT_IN_TIME: {
    exit: EXIT_CODES.checkFailed,
    cause: 'An event was not listed, or not tried at every endpoint, while the command waited.',
    fix: 'Check that a `plat-server serve` or `plat-server worker` runs; an endpoint that keeps failing is paused.',
  },
  REPLAY_CANCELED: {
    exit: EXIT_CODES.checkFailed,
    cause: 'A replay was canceled before it had come to its end.',
    fix: 'Create it again if that was not meant.',
  },
  AUTHORIZATION_FAILED: {
    exit: EXIT_CODES.checkFailed,
    cause: 'The redirect of an authorization carried an `error` other than `access_denied`; the message names it.',
    fix: '`invalid_scope`: ask for scopes that the app is registered with. See `plat apps get <app_id>`.',
  },
  STATE_MISMATCH: {
    exit: EXIT_CODES.checkFailed,
    cause: 'The redirect URI was called with the state of another authorization: an old tab, or a forged call.',
    fix: 'Begin again, and answer on the page that is opened then.',
  },
  INVALID_CALLBACK: {
    exit: EXIT_CODES.checkFailed,
    cause: 'The redirect URI was called with neither a code nor an error.',
    fix: 'Begin again, and answer on the page that is opened then.',
  },
  REFRESH_FAILED: {
    exit: EXIT_CODES.checkFailed,
    cause: 'The answer to a refresh did not come.',
    fix: 'Begin again.',
  },
  REAUTHORIZATION_REQUIRED: {
    exit: EXIT_CODES.checkFailed,
    cause: 'The service refused the refresh token: the consent was withdrawn meanwhile.',
    fix: 'Begin again.',
  },
  DOCTOR_FAILED: {
    exit: EXIT_CODES.checkFailed,
    cause: '`plat doctor` found something that does not work.',
    fix: 'Do what it says below each line that failed.',
  },
};

function ofTheCli(explanations: Readonly<Record<CliErrorCode, Explanation>>) {
  const withExit = (code: CliErrorCode) => ({ ...explanations[code], exit: CLI_ERROR_CODES[code] });
  const codes = Object.keys(CLI_ERROR_CODES) as CliErrorCode[];
  // Built from all codes, so none is missing.
  return Object.fromEntries(codes.map((code) => [code, withExit(code)])) as Record<
    CliErrorCode,
    Explanation & { readonly exit: ExitCode }
  >;
}
