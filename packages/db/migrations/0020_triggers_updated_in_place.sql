-- Every accepted call changes the last request of its trigger. With room in the page the new row stays beside the old one, and no index is touched.
ALTER TABLE "webhook_triggers" SET (fillfactor = 50);
