CREATE TABLE "invitations" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"role_ids" uuid[] NOT NULL,
	"department_id" uuid,
	"manager_id" uuid,
	"invited_by_id" uuid NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"email_sent" boolean DEFAULT false NOT NULL,
	"resent_at" timestamptz(3)[] DEFAULT '{}' NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"employee_id" uuid,
	CONSTRAINT "invitations_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "invitations_token" UNIQUE("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"workspace_id" uuid NOT NULL,
	"challenge" text NOT NULL,
	"employee_id" uuid,
	"purpose" text NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "passkey_challenges_workspace_id_challenge_pk" PRIMARY KEY("workspace_id","challenge")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"is_backed_up" boolean DEFAULT false NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"last_used_at" timestamptz(3),
	CONSTRAINT "passkeys_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "passkeys_credential" UNIQUE("workspace_id","credential_id")
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"workspace_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"employee_id" uuid NOT NULL,
	"sent_by_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	"ended_at" timestamptz(3),
	CONSTRAINT "password_resets_workspace_id_token_hash_pk" PRIMARY KEY("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "pending_sign_ins" (
	"workspace_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"employee_id" uuid NOT NULL,
	"step" text NOT NULL,
	"method" text NOT NULL,
	"hours_max" integer,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"expires_at" timestamptz(3) NOT NULL,
	CONSTRAINT "pending_sign_ins_workspace_id_token_hash_pk" PRIMARY KEY("workspace_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"used_at" timestamptz(3),
	CONSTRAINT "recovery_codes_workspace_id_employee_id_code_hash_pk" PRIMARY KEY("workspace_id","employee_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "totp_factors" (
	"workspace_id" uuid NOT NULL,
	"employee_id" uuid NOT NULL,
	"secret" text,
	"confirmed_at" timestamptz(3),
	"offered" text,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "totp_factors_workspace_id_employee_id_pk" PRIMARY KEY("workspace_id","employee_id")
);
--> statement-breakpoint
ALTER TABLE "employees" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "device_key" text;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "signed_in_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "method" text DEFAULT 'PASSWORD' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamptz(3);--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "hours_max" integer;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "sign_in_policy" jsonb DEFAULT '{"typedPasswords":true}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter" FOREIGN KEY ("workspace_id","invited_by_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_employee" FOREIGN KEY ("workspace_id","employee_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending" ON "invitations" USING btree ("workspace_id",lower("email")) WHERE "invitations"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "passkey_challenges_by_end" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_by_employee" ON "passkeys" USING btree ("workspace_id","employee_id");--> statement-breakpoint
CREATE INDEX "password_resets_by_employee" ON "password_resets" USING btree ("workspace_id","employee_id","created_at");--> statement-breakpoint
CREATE INDEX "password_resets_by_end" ON "password_resets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_by_employee" ON "pending_sign_ins" USING btree ("workspace_id","employee_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_by_end" ON "pending_sign_ins" USING btree ("expires_at");