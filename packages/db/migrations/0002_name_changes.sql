-- For a while the column was renamed by the migration before this one.
DO $$
BEGIN
  IF EXISTS (SELECT FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'booking_mails' AND column_name = 'news') THEN
    ALTER TABLE "booking_mails" RENAME COLUMN "news" TO "change";
  END IF;
END $$;
