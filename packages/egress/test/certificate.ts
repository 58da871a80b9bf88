/** A self-signed certificate for hooks.example.com, valid to 2124, for the TLS tests alone; its key protects nothing. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBejCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLmNvbTAgFw0yNDAxMDEwMDAwMDBaGA8yMTI0MDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAARFzyyPzs7GM0TrE1dogtuVyewGf4hBuDzXPKUQOere5CIvcQffKewkbGY9
v+4lLMkrcv/srh2lriunU1VCpdnDo1AwTjAcBgNVHREEFTATghFob29rcy5leGFt
cGxlLmNvbTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSVGdK6MqCm60LUeu4I
X/ysD6IaUzAKBggqhkjOPQQDAgNJADBGAiEAkdc/g5w54ZkbqsvwlaCnVONaxTCC
OFZdLyiVGnkaS/ACIQCvo4ZftxMVli3Vrdkfd6vn56FNsioIWEi+Xvy16HziSg==
-----END CERTIFICATE-----`

/** The key of the certificate above. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCpnfp7Bn54w0cGDD
vP4hqWZwk2oknVuX2VMcme8DDuKhRANCAARFzyyPzs7GM0TrE1dogtuVyewGf4hB
uDzXPKUQOere5CIvcQffKewkbGY9v+4lLMkrcv/srh2lriunU1VCpdnD
-----END PRIVATE KEY-----`
