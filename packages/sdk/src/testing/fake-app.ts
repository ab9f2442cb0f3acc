/** The app that {@link fakeService} knows. */
export const APP = { clientId: 'app_1', clientSecret: 'plat_cs_SeCrEtClientSecret' } as const;
export const REDIRECT_URI = 'https://app.test/callback?from=plat';
