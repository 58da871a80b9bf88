ALTER TABLE "oauth_tokens" ADD COLUMN "rotation_salt" "bytea";--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD COLUMN "rotated_by" "bytea";