/** A certificate for localhost that signed itself. Nothing else uses it or its key. */
export const CERT = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBmzCCAUGgAwIBAgIUCvcquYvXMDgyMkTlfOamDGDllnEwCgYIKoZIzj0EAwIw',
  'FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA4MDM0OFoYDzIxMjYxMDMw',
  'MDgwMzQ4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO',
  'PQMBBwNCAARnf8gZ36+Z4W5APUQXFgAFBbv3iBjK28JREziRhGlWd4lxnXdrcS0G',
  'LKKgCX9F7M2FbxPnyJmAsdoL5qz6/QQgo28wbTAdBgNVHQ4EFgQUIrrBZacakbnq',
  'sajv92HtNE+73f0wHwYDVR0jBBgwFoAUIrrBZacakbnqsajv92HtNE+73f0wDwYD',
  'VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI',
  'zj0EAwIDSAAwRQIhAKnORXSjjl8jy2JHyB5UCLTHDBK/JDXAHMm7w15spMlsAiBw',
  'P0rVyrZNrUgeezqCloRP0XzLar1gxucPYliMV0N6og==',
  '-----END CERTIFICATE-----',
].join('\n');

export const KEY = [
  '-----BEGIN PRIVATE KEY-----',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxDR0CPuUTWfkn8gX',
  'RdTTjUtI7kQQl34J8U9hTcx98pGhRANCAARnf8gZ36+Z4W5APUQXFgAFBbv3iBjK',
  '28JREziRhGlWd4lxnXdrcS0GLKKgCX9F7M2FbxPnyJmAsdoL5qz6/QQg',
  '-----END PRIVATE KEY-----',
].join('\n');
