// Well-formed credentials that are never valid. Source: spec 7, Checksum example.

export const apiKey = "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"
export const accessToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJlLW9mLWphbmU"
