ALTER TABLE "sessions" ADD COLUMN "sso_id" uuid;--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD COLUMN "sso_id" uuid;