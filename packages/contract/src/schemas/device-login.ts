import { answer, params } from './objects.ts';
import { line, string } from './texts.ts';
import { always, count } from './values.ts';

export const deviceCode = params(
  'DeviceCodeParams',
  'Body of the request that starts a device login.',
  { client_name: line(100, 'Name of the program, shown to the developer who approves.', 'plat on laptop') },
  ['client_name'],
);

export const deviceCodeResponse = answer('DeviceCodeResponse', 'Codes of a new device login (RFC 8628, section 3.2).', {
  device_code: string('Secret code with which the program polls for the token.', 'plat_dc_…'),
  user_code: string('Code that the developer compares or types in the console.', 'BCDF-GHJK'),
  verification_uri: string(
    'URL of the page on which the developer types the code.',
    'https://api.example.com/console/cli',
  ),
  verification_uri_complete: string(
    'URL of the same page with the code filled in.',
    'https://api.example.com/console/cli?user_code=BCDF-GHJK',
  ),
  expires_in: count('Lifetime of both codes in seconds.', 600),
  interval: count('Seconds to wait between two polls.', 5),
});

export const deviceToken = params(
  'DeviceTokenParams',
  'Body of a poll for the token of a device login.',
  { device_code: string('The `device_code` of the login.', 'plat_dc_…') },
  ['device_code'],
);

export const deviceTokenResponse = answer(
  'DeviceTokenResponse',
  'Response to the first poll after the developer approved the device login.',
  {
    access_token: string('Token with the prefix `plat_dv_`. It is accepted by `/developer/v1` only.', 'plat_dv_…'),
    token_type: always('Bearer'),
    expires_in: count('Seconds until the token expires if it is not used.', 7_776_000),
  },
);
