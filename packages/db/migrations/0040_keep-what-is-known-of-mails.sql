ALTER TABLE "booking_mails" ADD COLUMN "under_way" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "booking_mails" ADD COLUMN "was_lost" boolean DEFAULT false NOT NULL;