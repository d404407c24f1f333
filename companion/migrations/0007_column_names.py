from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("companion", "0006_seat_takeovers")]

    operations = [
        migrations.RenameField("table", "tip", "head"),
        migrations.RenameField("table", "last", "latest"),
        migrations.RenameField("table", "closed", "ended_by_host"),
        migrations.RenameField("entry", "at", "created_at"),
        migrations.RenameField("notice", "at", "created_at"),
        migrations.RenameModel("Receipt", "IdempotencyKey"),
        migrations.AlterField(
            "idempotencykey",
            "table",
            models.ForeignKey(
                on_delete=models.deletion.CASCADE, related_name="idempotency_keys", to="companion.table"
            ),
        ),
        migrations.RemoveConstraint("idempotencykey", "receipt_key"),
        migrations.AddConstraint(
            "idempotencykey", models.UniqueConstraint(fields=["table", "key"], name="idempotency_key")
        ),
    ]
