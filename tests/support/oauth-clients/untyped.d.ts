// Types of two libraries that have none, as far as the stories use them.

declare module 'simple-oauth2' {
  interface Token {
    readonly access_token?: string;
    readonly refresh_token?: string;
  }
  export interface AccessToken {
    readonly token: Token;
    refresh(): Promise<AccessToken>;
    revokeAll(): Promise<unknown>;
  }
  export class AuthorizationCode {
    constructor(options: {
      readonly client: { readonly id: string; readonly secret: string };
      readonly auth: { readonly tokenHost: string };
      readonly options?: { readonly authorizationMethod: 'header' | 'body' };
    });
    authorizeURL(parameters: Readonly<Record<string, string | readonly string[]>>): string;
    getToken(parameters: Readonly<Record<string, string>>): Promise<AccessToken>;
    createToken(token: Token): AccessToken;
  }
}

declare module 'passport-oauth2' {
  interface RequestError {
    readonly statusCode: number;
    readonly data: string;
  }
  interface Options {
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly clientID: string;
    readonly clientSecret: string;
    readonly callbackURL: string;
    readonly scope: readonly string[];
    readonly state: true;
    readonly pkce: true;
  }
  type Verify = (
    accessToken: string,
    refreshToken: string,
    profile: unknown,
    done: (error: unknown, user: object) => void,
  ) => void;

  export default class OAuth2Strategy {
    constructor(options: Options, verify: Verify);
    authenticate(req: object, options: object): void;
    userProfile(accessToken: string, done: (error: unknown, profile?: unknown) => void): void;
    parseErrorResponse(body: string, status: number): Error | null;
    protected readonly _oauth2: {
      useAuthorizationHeaderforGET(use: boolean): void;
      get(url: string, accessToken: string, done: (error: RequestError | null, body?: string) => void): void;
      getOAuthAccessToken(
        token: string,
        parameters: Readonly<Record<string, string>>,
        done: (error: RequestError | null, accessToken?: string, refreshToken?: string) => void,
      ): void;
    };
    static readonly TokenError: new (
      ...args: never
    ) => Error & { readonly code: string };
  }
}
