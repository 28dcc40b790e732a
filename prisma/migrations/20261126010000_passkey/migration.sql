-- Passkeys: public keys of users who sign in by a device that asks for their finger, face or PIN.
CREATE TABLE "auth_passkey" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "aaguid" TEXT,
    "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_passkey_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "auth_passkey_credential_id_key" ON "auth_passkey"("credential_id");

CREATE INDEX "auth_passkey_user_id_idx" ON "auth_passkey"("user_id");

ALTER TABLE "auth_passkey" ADD CONSTRAINT "auth_passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
